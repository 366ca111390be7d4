#if os(Linux)
    import Foundation

    /// A PAM module that is compiled when it is needed, and a stack with it: it fails, asks twice, asks too much or hangs, as its
    /// argument says.
    struct PAMModule {
        let folder: URL

        static let compiler = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }

        /// - Parameter behaviour: permit, fail, unavailable, twice, many, none, echo or hang.
        init(_ behaviour: String) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("pam-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let source = folder.appendingPathComponent("module.c"), module = folder.appendingPathComponent("module.so")
            try Data(Self.source.utf8).write(to: source)
            let compiling = Process()
            compiling.executableURL = URL(fileURLWithPath: Self.compiler ?? "/usr/bin/cc")
            compiling.arguments = ["-shared", "-fPIC", "-o", module.path, source.path, "-ldl"]
            try compiling.run()
            compiling.waitUntilExit()
            guard compiling.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
            let stack = """
                auth required \(module.path) \(behaviour) \(release.path)
                account required pam_permit.so

                """
            try Data(stack.utf8).write(to: folder.appendingPathComponent("desk"))
        }

        /// A module that hangs goes on when this file is there.
        var release: URL { folder.appendingPathComponent("release") }

        func remove() { try? FileManager.default.removeItem(at: folder) }

        // Without PAM's headers, which a machine without compilers for it does not have.
        private static let source = """
            #include <dlfcn.h>
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>
            struct message { int style; const char *text; };
            struct response { char *text; int code; };
            struct conversation { int (*ask)(int, const struct message **, struct response **, void *); void *data; };

            static int ask(void *handle, int count, int style, char *answer) {
                void *library = dlopen("libpam.so.0", RTLD_NOW | RTLD_NOLOAD);
                int (*item)(void *, int, const void **) = dlsym(library, "pam_get_item");
                const struct conversation *talk = 0;
                if (item(handle, 5, (const void **)&talk) != 0 || !talk) return 4;
                struct message all[64];
                const struct message *pointers[64];
                struct response *responses = 0;
                for (int i = 0; i < count; i++) {
                    all[i].style = style;
                    all[i].text = "?";
                    pointers[i] = &all[i];
                }
                int status = talk->ask(count, pointers, &responses, talk->data);
                if (status == 0 && responses) {
                    if (answer && responses[0].text) strncpy(answer, responses[0].text, 99);
                    for (int i = 0; i < count; i++) free(responses[i].text);
                    free(responses);
                }
                return status;
            }

            int pam_sm_authenticate(void *handle, int flags, int argc, const char **argv) {
                const char *how = argc > 0 ? argv[0] : "fail";
                char first[100] = "", second[100] = "";
                if (!strcmp(how, "permit")) return 0;
                if (!strcmp(how, "unavailable")) return 9;
                if (!strcmp(how, "hang")) {
                    while (access(argv[1], F_OK) != 0) usleep(10000);
                    return 0;
                }
                if (!strcmp(how, "many")) return ask(handle, 33, 1, first) == 19 ? 7 : 0;
                if (!strcmp(how, "none")) return ask(handle, 0, 1, first) == 19 ? 7 : 0;
                if (!strcmp(how, "echo")) return ask(handle, 1, 2, first) == 0 && first[0] ? 0 : 7;
                if (!strcmp(how, "twice")) {
                    if (ask(handle, 1, 1, first) || ask(handle, 2, 1, second)) return 7;
                    return strcmp(first, "correct horse") || strcmp(second, "correct horse") ? 7 : 0;
                }
                return 7;
            }
            int pam_sm_setcred(void *handle, int flags, int argc, const char **argv) { return 0; }
            """
    }
#endif
