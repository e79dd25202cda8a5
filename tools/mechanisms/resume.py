"""A run in two pieces by the C library: `from` of TmlSimOptions. Run as a program of its own, so
that a crash of the library is seen as one:

    resume.py LIBRARY MODEL INTEGRATOR TOLERANCE T1 END OUTPUT_STEP

prints the last rows (time and channels) of both pieces as CSV.
"""
import ctypes as c
import sys


class Hooks(c.Structure):
    _fields_ = [("user", c.c_void_p), ("log", c.c_void_p), ("progress", c.c_void_p),
                ("between", c.c_void_p)]


class Options(c.Structure):
    """TmlSimOptions of include/trammel/sim.h; `size` tells whether it is the same."""
    _fields_ = [("size", c.c_uint32), ("integrator", c.c_char_p), ("end_time", c.c_double),
                ("output_step", c.c_double), ("tolerance", c.c_double), ("step", c.c_double),
                ("first_step", c.c_double), ("min_step", c.c_double), ("max_step", c.c_double),
                ("length_scale", c.c_double), ("n_options", c.c_int), ("option_key", c.c_void_p),
                ("option_value", c.c_void_p), ("record_solver", c.c_bool), ("every_row", c.c_bool),
                ("hooks", Hooks), ("start", c.c_void_p), ("start_time", c.c_double),
                ("check_error", c.c_bool), ("strict", c.c_bool), ("threads", c.c_int),
                ("equilibrium", c.c_bool)]


class Error(c.Structure):
    _fields_ = [("status", c.c_int), ("message", c.c_char * 16384)]


class Library:
    def __init__(self, path):
        lib = self.lib = c.CDLL(path)
        lib.tml_sim_options_default.restype = Options
        for f in ("tml_row_time", "tml_row_channel"):
            getattr(lib, f).restype = c.c_double
        lib.tml_row_channel.argtypes = [c.c_void_p, c.c_int]
        lib.tml_row_channel_name.argtypes = [c.c_void_p, c.c_int]
        lib.tml_row_channel_name.restype = c.c_char_p
        for f in ("tml_row_time", "tml_row_channel_count", "tml_sim_free", "tml_model_free"):
            getattr(lib, f).argtypes = [c.c_void_p]
        self.row_type = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, c.c_void_p)
        lib.tml_sim_run.argtypes = [c.c_void_p, self.row_type, c.c_void_p, c.c_void_p]
        self.error = Error()

    def check(self, status):
        if status:
            print("error: " + self.error.message.decode(errors="replace"))
            sys.exit(1)

    def load(self, path):
        model = c.c_void_p()
        self.check(self.lib.tml_load(path.encode(), 0, None, None, c.byref(model),
                                     c.byref(self.error)))
        return model

    def run(self, model, integrator, tolerance, end, step, start):
        """A sim that ran to the end, from another or from the model's start, and its rows."""
        options = self.lib.tml_sim_options_default()
        if options.size != c.sizeof(Options):
            print("TmlSimOptions has other fields than in resume.py", file=sys.stderr)
            sys.exit(2)  # a failure, not a skip: a check that is left out finds nothing
        options.integrator = integrator.encode()
        options.end_time, options.output_step, options.tolerance = end, step, tolerance
        options.start = start
        sim, rows = c.c_void_p(), []
        self.check(self.lib.tml_sim_create(model, c.byref(options), c.byref(sim),
                                           c.byref(self.error)))

        def row(_, s, __):
            n = self.lib.tml_row_channel_count(s)
            rows.append([self.lib.tml_row_time(s)] + [self.lib.tml_row_channel(s, k)
                                                      for k in range(n)])
            self.names = [self.lib.tml_row_channel_name(s, k).decode() for k in range(n)]
            return 0

        self.check(self.lib.tml_sim_run(sim, self.row_type(row), None, c.byref(self.error)))
        return sim, rows


def main():
    path, model, integrator, tolerance, middle, end, step = sys.argv[1:]
    library = Library(path)
    model = library.load(model)
    first, rows = library.run(model, integrator, float(tolerance), float(middle), float(step), None)
    _, more = library.run(model, integrator, float(tolerance), float(end), float(step), first)
    print(",".join(["time"] + library.names))
    for row in rows + more:
        print(",".join(map(repr, row)))


if __name__ == "__main__":
    main()
