# SPDX-License-Identifier: MIT
# One source, compiled several times: per instruction set, per precision.

# koshu_add_variants(VARIANTS name... TEMPLATES file... [OPTIONS option...])
#
# Of each template FILE.EXT.in and each variant, FILE_VARIANT.EXT in the build
# directory, where @variant@ stands for the variant and @VARIANT@ for it in upper
# case; compiled into koshu_objects, with these options. What did not change is
# not written again, so nothing is compiled again either.
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
