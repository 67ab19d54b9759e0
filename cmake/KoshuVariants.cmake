# SPDX-License-Identifier: MIT
# Compiles one source several times: per instruction set or per precision.

# koshu_add_variants(VARIANTS name... TEMPLATES file... [OPTIONS option...])
#
# For each template FILE.EXT.in and each variant, creates FILE_VARIANT.EXT in
# the build directory, replacing @variant@ by the variant's name and @VARIANT@
# by it in upper case, and compiles it into koshu_objects with these options. A
# file that does not change is not rewritten, so it is not compiled again.
function(koshu_add_variants)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "VARIANTS;TEMPLATES;OPTIONS")
  foreach(variant ${arg_VARIANTS})
    string(TOUPPER ${variant} VARIANT)
    foreach(template ${arg_TEMPLATES})
      cmake_path(REMOVE_EXTENSION template LAST_ONLY OUTPUT_VARIABLE source)
      cmake_path(GET source EXTENSION extension)
      cmake_path(REMOVE_EXTENSION source OUTPUT_VARIABLE stem)
      set(source ${CMAKE_CURRENT_BINARY_DIR}/${stem}_${variant}${extension})
      configure_file(${template} ${source} @ONLY)
      target_sources(koshu_objects PRIVATE ${source})
      set_property(SOURCE ${source} TARGET_DIRECTORY koshu_objects PROPERTY
        COMPILE_OPTIONS ${arg_OPTIONS})
    endforeach()
  endforeach()
endfunction()
