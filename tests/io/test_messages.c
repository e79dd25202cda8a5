/* tests/io/test_messages.c - exact messages for broken models.
 *
 * Every file of tests/data/broken ends with the messages it must give, one `# error: ` line each.
 * Models of models/ must give none.
 */
#include "test.h"

#include "trammel/io.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_suffix(const char *name, const char *suffix)
{
    const size_t n = strlen(name), m = strlen(suffix);
    return n >= m && strcmp(name + n - m, suffix) == 0;
}

/* The lines behind "# error: ", joined. */
static void expected_message(TestCtx *t, const char *path, char *out, size_t size)
{
    static const char mark[] = "# error: ";
    char line[2048];
    size_t fill = 0;
    FILE *file = fopen(path, "r");
    out[0] = '\0';
    CHECK(t, file != NULL);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, mark, strlen(mark)) == 0) {
            line[strcspn(line, "\n")] = '\0';
            fill += (size_t)snprintf(out + fill, size - fill, "%s%s", fill > 0 ? "\n" : "",
                                     line + strlen(mark));
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void check_broken(TestCtx *t, const char *path)
{
    static char expected[2 * TML_ERROR_MAX];
    TmlModel *m = NULL;
    TmlError err = {0};
    t->name = path;
    expected_message(t, path, expected, sizeof expected);
    CHECK(t, expected[0] != '\0');
    CHECK_INT(t, tml_load(path, 0, NULL, NULL, &m, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, expected);
    CHECK(t, m == NULL);
}

TEST(broken_models)
{
    char dir[4096];
    snprintf(dir, sizeof dir, "%s/tests/data/broken", test_source_dir());
    // messages hold the path as given: relative names are the same everywhere
    const int home = open(".", O_RDONLY | O_DIRECTORY);
    DIR *folder = opendir(dir);
    int files = 0;
    CHECK(t, home >= 0 && folder != NULL);
    if (home < 0 || folder == NULL || chdir(dir) != 0) {
        return;
    }
    for (const struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
        if (has_suffix(e->d_name, ".yaml")) {
            check_broken(t, e->d_name);
            files++;
        }
    }
    CHECK(t, files >= 70);
    CHECK_INT(t, fchdir(home), 0);
    closedir(folder);
    close(home);
}

static void check_models(TestCtx *t, const char *dir, int *files)
{
    DIR *folder = opendir(dir);
    for (const struct dirent *e = folder != NULL ? readdir(folder) : NULL; e != NULL;
         e = readdir(folder)) {
        char path[4096];
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (e->d_name[0] == '.' || strcmp(e->d_name, "include") == 0 ||
            strcmp(e->d_name, "parts") == 0 || stat(path, &st) != 0) { // not whole models
            continue;
        }
        if (S_ISDIR(st.st_mode)) {
            check_models(t, path, files);
        } else if (has_suffix(path, ".yaml")) {
            TmlModel *m = NULL;
            TmlError err = {0};
            t->name = path;
            CHECK_OK(t, tml_load(path, 0, NULL, NULL, &m, &err), &err);
            CHECK_STR(
                t, m != NULL && tml_model_warning(m, 0) != NULL ? tml_model_warning(m, 0) : "", "");
            tml_model_free(m);
            ++*files;
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

TEST(example_models)
{
    char dir[4096];
    int files = 0;
    snprintf(dir, sizeof dir, "%s/models", test_source_dir());
    check_models(t, dir, &files);
    CHECK(t, files > 0);
}

TEST(files_that_cannot_be_read)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_INT(t, tml_load("/no/such/model.yaml", 0, NULL, NULL, &m, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "/no/such/model.yaml: cannot open");
    CHECK_INT(t, tml_load(test_source_dir(), 0, NULL, NULL, &m, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "is a folder");
    CHECK_INT(t, tml_load("/dev/zero", 0, NULL, NULL, &m, &err), TML_E_IO);
    CHECK_HAS(t, err.message, "larger than 256 MB");
    CHECK_INT(t, tml_load("/dev/null", 0, NULL, NULL, &m, NULL), TML_E_MODEL);
    CHECK_INT(t,
              tml_load_text("\x7f"
                            "ELF",
                            "a.out", 0, NULL, NULL, &m, &err),
              TML_E_MODEL);
    CHECK_STR(t, err.message, "a.out:1:1: a control character; this is not a text file");
}

TEST(includes_are_merged)
{
    char path[4096];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(path, sizeof path, "%s/tests/data/include/main.yaml", test_source_dir());
    CHECK_OK(t, tml_load(path, 0, NULL, NULL, &m, &err), &err);
    if (m != NULL) {
        CHECK_STR(t, tml_model_title(m), "Main");
        CHECK_INT(t, tml_model_body_count(m), 4); // ground, own, part's two
        CHECK_INT(t, tml_model_joint_count(m), 2);
        CHECK_STR(t, tml_model_joint_name(m, 0), "own_pin");
    }
    tml_model_free(m);
}

TEST_SUITE(io_messages) = {CASE(broken_models),
                           CASE(example_models),
                           CASE(files_that_cannot_be_read),
                           CASE(includes_are_merged),
                           {0}};
