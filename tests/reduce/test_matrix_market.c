/* tests/reduce/test_matrix_market.c - matrices and tables of nodes from texts, good and bad. */
#include "io/part/matrix_market.h"
#include "test.h"

#include <unistd.h>

static const char *scratch(const char *text)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/matrix-test-%d.mtx", TRAMMEL_BINARY_DIR, (int)getpid());
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    return path;
}

/* One matrix in all the forms that files have it in. */
TEST(forms_of_one_matrix)
{
    static const char *const text[] = {
        "%%MatrixMarket matrix coordinate real symmetric\n% note\n3 3 5\n1 1 2.5\n2 1 -1\n2 2 "
        "3\n\n3 2 "
        "-0.5\n3 3 1e0\n",
        "%%MatrixMarket matrix coordinate real general\r\n3 3 7\r\n1 1 2.5\r\n1 2 -1\r\n2 1 "
        "-1\r\n2 2 "
        "3\r\n3 2 -0.5\r\n2 3 -0.5\r\n3 3 1\r\n",
        "1 1  2.5\n1 2 -1\n2 1 -1\n2 2 3\n3 2 -.5\n2 3 -5e-1\n3 3 1.0\n",
        "1 1  2.5\n2 1 -1\n2 2 3\n3 2 -.5\n3 3 1.0\n",
        "1,1,2.5\n1,2,-1\n2,2,3\n2,3,-.5\n3,3,1.0\n",
        "1 1 2.5\n1 2 -1\n2 1 -1\n2 2 3\n3 2 -.5\n2 3 -5e-1\n3 3 0.25\n3 3 0.75\n1 3 0\n",
    };
    static const double want[3][3] = {{2.5, -1, 0}, {-1, 3, -0.5}, {0, -0.5, 1}};
    for (size_t k = 0; k < sizeof text / sizeof text[0]; ++k) {
        TmlArena arena = {0};
        TmlCsc A;
        TmlError err = {0};
        CHECK_OK(t, tml_matrix_read(scratch(text[k]), 3, &arena, &A, &err), &err);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j <= i; ++j) {
                const int p = tml_csc_find(&A, i, j);
                CHECK(t, (p >= 0 ? A.x[p] : 0.0) == want[i][j]);
                CHECK(t, i == j || tml_csc_find(&A, j, i) < 0); // the lower triangle only
            }
        }
        tml_arena_free(&arena);
    }
    unlink(scratch(""));
}

typedef struct Bad {
    const char *text, *message;
} Bad;

TEST(bad_matrices)
{
    static const Bad bad[] = {
        {"%%MatrixMarket matrix array real general\n2 2\n1\n", "matrix coordinate real"},
        {"%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n1 1 1 0\n",
         "matrix coordinate"},
        {"%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 1\n",
         ":4: cut short: 2 entries of 3"},
        {"%%MatrixMarket matrix coordinate real symmetric\n", "cut short: the sizes"},
        {"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 1 1\n2 2 1\n",
         ":4: more than the 1"},
        {"%%MatrixMarket matrix coordinate real symmetric\n3 2 1\n1 1 1\n", "must be square"},
        {"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n4 1 1\n",
         ":3: entry (4, 1) lies outside"},
        {"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 1 nan\n", "is not finite"},
        {"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 1\n1 2 1\n",
         ":4: entry (1, 2) lies above"},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 1 1\n",
         "2 rows, but the nodes have 3"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n1 2 1\n2 1 2\n",
         ":4: not symmetric: entry (1, 2) is 1, and (2, 1) is 2"},
        {"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n1 2 1\n", "not symmetric"},
        {"1 1 1\n1 2 4\n2 1 3\n2 2 1\n", ":2: not symmetric"},
        {"1 1 1\n2 2 x\n", ":2: expected 'row column value', got '2 2 x'"},
        {"1 1 1\n2 2\n", ":2: expected 'row column value'"},
        {"1 1 1\n4 4 1\n", "4 rows, but the nodes have 3"},
        {"1.5 1 1\n", "expected 'row column value'"},
        {"", "no entries"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        TmlArena arena = {0};
        TmlCsc A;
        TmlError err = {0};
        t->name = bad[k].text;
        CHECK_INT(t, tml_matrix_read(scratch(bad[k].text), 3, &arena, &A, &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, bad[k].message);
        tml_arena_free(&arena);
    }
    t->name = NULL;
    unlink(scratch(""));
}

TEST(tables_of_nodes)
{
    TmlArena arena = {0};
    TmlNodeTable table;
    TmlError err = {0};
    CHECK_OK(t,
             tml_node_table_read(scratch("node,x,y,z\n7, 1, 2, 3\n9, 4, 5, 6e-1\n"), &arena, &table,
                                 &err),
             &err);
    CHECK_INT(t, table.n, 2);
    CHECK_INT(t, table.id[1], 9);
    CHECK(t, table.x[1].z == 0.6 && table.x[0].x == 1.0);
    CHECK_OK(t, tml_node_table_read(scratch("0 0 0\n1 0 0\n"), &arena, &table, &err), &err);
    CHECK_INT(t, table.id[1], 2);
    CHECK_INT(t, tml_node_table_read(scratch("0 0 0\n1 0\n"), &arena, &table, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, ":2: expected 'x y z'");
    CHECK_INT(t, tml_node_table_read(scratch("a b\n"), &arena, &table, &err), TML_E_MODEL);
    CHECK_INT(t, tml_node_table_read(scratch("0 0 0\n1 0 inf\n"), &arena, &table, &err),
              TML_E_MODEL);
    unlink(scratch(""));
    tml_arena_free(&arena);
}

TEST_SUITE(matrix_market) = {
    CASE(forms_of_one_matrix), CASE(bad_matrices), CASE(tables_of_nodes), {0}};
