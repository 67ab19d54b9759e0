# SPDX-License-Identifier: MIT
"""What koshu is doing when a fault happens, and what must hold afterwards."""
from .campaign import Fault

RUN = """\
initial: {{model: plummer, n: 24, seed: {seed}}}
solver: {{softening: 1/64, {solver}}}
integrator: {{end: 1/16, {integrator}}}
output: {{directory: out, snapshot: {{interval: 1/32}}, log: {{steps: 1}}}}
checkpoint: {{interval: 1e-9}}
run: {{threads: 1, backend: cpu}}
"""
SCHEMES = {
    "leapfrog": ("method: direct", "dt: 1/64"),
    "tree": ("method: tree, n_crit: 8, n_leaf: 2", "dt: 1/64"),
    "adaptive": ("method: direct", "step: acceleration, eta: 0.3, dt: 1/32"),
    "hermite": ("method: direct", "scheme: hermite, dt: 1/32"),
}
SNAPSHOTS = (".hdf5", ".gad", ".gad1", ".tipsy")
SIGTERM_AT_RENAME = ["strace", "-qq", "-o", "/dev/null", "-e", "trace=rename",
                     "-e", "inject=rename:signal=SIGTERM:when=6"]
LOCK = ".koshu.lock"  # of a directory; the next run takes it
OWN = ("tmp", "cache")  # folders of the environment, not of koshu's results


def parameters(scheme, seed=7):
    solver, integrator = SCHEMES[scheme]
    return RUN.format(solver=solver, integrator=integrator, seed=seed)


class Scenario:
    """A command in a prepared folder, and the commands that end what it was
    doing where it was interrupted: the first that succeeds."""

    def __init__(self, name, command, again, files=(), setup=(), launch=()):
        self.name, self.command, self.again = name, command, again
        self.files, self.setup, self.launch = dict(files), setup, launch
        self.not_reached = 0

    def koshu(self, world, arguments, folder):
        return world.run([*self.launch, world.koshu, *arguments], folder)

    def prepare(self, world):
        """Prepares the folder, and the results of the undisturbed command."""
        self.template = world.folder()
        for name, text in self.files.items():
            (self.template / name).write_text(text)
        for arguments in self.setup:
            if arguments[0] == "strace":
                result = world.run([world.koshu if word == "koshu" else word
                                    for word in arguments], self.template)
            else:
                result = self.koshu(world, arguments, self.template)
            if result.status:
                raise RuntimeError(f"{self.name}: {arguments}: {result.errors}")
        self.before = contents(self.template)
        self.inputs = {name: data for name, data in self.before.items()
                       if not name.startswith("out")}
        self.reference = self.undisturbed(world)
        self.known = {*self.before.values(), *self.reference.values()}
        if self.undisturbed(world) != self.reference:
            raise RuntimeError(f"{self.name}: identical runs differ")

    def undisturbed(self, world):
        folder = world.folder(self.template)
        result = self.koshu(world, self.command, folder)
        if result.status:
            raise RuntimeError(f"{self.name}: {result.errors}")
        after = contents(folder)
        world.discard(folder)
        return after

    # ---- what must hold ------------------------------------------------------

    def check_nothing_lost(self, world, folder):
        """Inputs must be unchanged, and every file complete."""
        now = contents(folder)
        for name, data in self.inputs.items():
            if now.get(name) != data:
                raise Fault(f"{name}, which was there before, is lost")
        for name, data in now.items():
            if not is_temporary(name) and data not in self.known:
                self.check_whole(world, folder, name, data)

    def check_whole(self, world, folder, name, data):
        if name.endswith(SNAPSHOTS):
            result = world.koshu_run(["info", name], folder)
            if result.status:
                raise Fault(f"{name} is not whole: {result.errors.strip()}")
        elif name.endswith("energy.csv"):
            whole = self.reference.get(name, b"")
            old = self.before.get(name, b"")
            if data and not data.endswith(b"\n"):
                raise Fault(f"{name} ends within a row")
            if not (whole.startswith(data) or old.startswith(data)):
                raise Fault(f"{name} holds what no run wrote")
        elif name.startswith("out") and name.endswith((".csv", ".txt")):
            if data and not data.endswith(b"\n"):
                raise Fault(f"{name} ends within a row")
        else:
            raise Fault(f"{name} is half written")

    def check_results(self, folder):
        now = contents(folder)
        for name, data in self.reference.items():
            if name not in now:
                raise Fault(f"{name} is missing at the end")
            if now[name] != data and not is_older_checkpoint(name):
                raise Fault(f"{name} is not what the undisturbed run wrote")
        for name in now:
            if name not in self.reference:
                raise Fault(f"{name} stays behind")

    def recover(self, world, folder):
        """Continues, or repeats the command, and must end with the same results."""
        reported = []
        for arguments in self.again:
            result = self.koshu(world, arguments, folder)
            reported.append(result.errors.strip())
            if result.status not in (0, 1, 2):
                raise Fault(f"{arguments}: status {result.status}")
            if result.status == 0:
                break
        else:
            if contents(folder) != self.reference:
                raise Fault(f"there is no way on: {reported}")
        self.check_results(folder)


def contents(folder):
    """The bytes of every file in a folder, by name."""
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if (path.is_file() and name.parts[0] not in OWN and
                name.name != LOCK):
            data = path.read_bytes()
            if name.name == "performance.csv":
                data = without_times(data)
            files[str(name)] = data
    leftover = folder / "tmp"
    if leftover.is_dir():
        for path in leftover.iterdir():
            # Open MPI's own, which it sometimes leaves where a rank was killed
            if not path.name.startswith("ompi."):
                files[f"tmp/{path.name}"] = b""
    return files


def without_times(table):
    """The step and time of each row; the rest was measured."""
    return b"".join(b",".join(row.split(b",")[:2]) + b"\n" * row.endswith(b"\n")
                    for row in table.splitlines(keepends=True))


def is_older_checkpoint(name):
    """They are of other moments where a run was interrupted."""
    return name.rsplit("/", 1)[-1].startswith("checkpoint-")


def is_temporary(name):
    last = name.rsplit("/", 1)[-1]
    return last.startswith(".koshu") or name.startswith("tmp/")


def half_a_run():
    """A run that is asked to stop in the middle, with the same parameters."""
    return [*SIGTERM_AT_RENAME, "koshu", "run", "-q", "run.yaml"]


def runs():
    again = (["run", "-q", "run.yaml", "--restart"], ["run", "-q", "run.yaml"],
             ["run", "-q", "run.yaml", "--force"])
    for scheme in SCHEMES:
        yield Scenario(scheme, ["run", "-q", "run.yaml"], again,
                       {"run.yaml": parameters(scheme)})
    yield Scenario(
        "force", ["run", "-q", "run.yaml", "--force"], again,
        {"run.yaml": parameters("leapfrog"),
         "old.yaml": parameters("leapfrog", seed=8)},
        [["run", "-q", "old.yaml"]])
    yield Scenario(
        "restart", ["run", "-q", "run.yaml", "--restart"], again[:1],
        {"run.yaml": parameters("leapfrog")}, [half_a_run()])


def others():
    models = [["init", "plummer", "--n", "24", "-o", "in.hdf5"]]

    def twice(*arguments):
        return list(arguments), [list(arguments), [*arguments, "--force"]]

    for format in ("hdf5", "gad", "tipsy", "csv"):
        yield Scenario(f"init-{format}", *twice(
            "init", "king", "--n", "24", "-o", f"new.{format}"))
    for format in ("gad", "csv"):
        yield Scenario(f"convert-{format}", *twice(
            "convert", "in.hdf5", f"new.{format}"), setup=models)
    yield Scenario("convert-hdf5", *twice("convert", "in.csv", "new.hdf5"),
                   setup=[["init", "plummer", "--n", "24", "-o", "in.csv"]])
    yield Scenario("plot", *twice("plot", "in.hdf5", "-o", "new.png"),
                   setup=models)
    yield Scenario("interact", *twice(
        "interact", "gravity", "--i", "in.hdf5", "--set", "eps2=1e-4",
        "--threads", "1", "-o", "new.csv"), setup=models)


def all_scenarios():
    return [*runs(), *others()]
