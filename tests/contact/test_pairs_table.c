/* tests/contact/test_pairs_table.c - the table of pairs in the guide says what the program does. */
#include "touch_util.h"

enum { TYPES = 20, WORD = 32 };

typedef struct Table {
    int n;
    char name[TYPES][WORD], cell[TYPES][TYPES][WORD];
} Table;

/* Cells of a line between bars, without blanks and backquotes; returns how many. */
static int split(const char *line, char cell[TYPES][WORD])
{
    int n = 0, length = 0;
    for (const char *c = line + 1; *c != '\0' && n < TYPES; ++c) {
        if (*c == '|') {
            cell[n++][length] = '\0';
            length = 0;
        } else if (*c != ' ' && *c != '`' && *c != '\n' && length < WORD - 1) {
            cell[n][length++] = *c;
        }
    }
    return n;
}

static void read_table(TestCtx *t, Table *out)
{
    char path[4096], line[1024], cell[TYPES][WORD];
    snprintf(path, sizeof path, "%s/docs/guide/contact.md", test_source_dir());
    FILE *f = fopen(path, "r");
    bool in = false;
    CHECK(t, f != NULL);
    out->n = 0;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, "| | `sphere`", 12) == 0) {
            in = true;
        } else if (in && strncmp(line, "| `", 3) == 0) {
            const int n = split(line, cell);
            snprintf(out->name[out->n], WORD, "%s", cell[0]);
            for (int k = 1; k < n && k <= out->n + 1; ++k) {
                snprintf(out->cell[out->n][k - 1], WORD, "%s", cell[k]);
            }
            out->n++;
        } else if (in && line[0] != '|') {
            break;
        }
    }
    if (f != NULL) {
        fclose(f);
    }
}

/* Whether random overlaps have pieces of a patch, all of them. */
static void look(TestCtx *t, const TmlShapeType *a, const TmlShapeType *b, const char *cell)
{
    int patches = 0, points = 0;
    for (int k = 0; k < 20; ++k) {
        ShapeData da, db;
        TmlTouch touch[TML_TOUCH_MAX];
        shape_random(t, a, 1.0, &da);
        shape_random(t, b, 1.0, &db);
        const TmlShape x = {a, &da}, y = {b, &db};
        TmlPose pose = pose_random(t);
        if (pose_to_depth(&x, &y, &pose, 0.01, 10.0)) {
            const int n = tml_touch(&x, &y, &pose, 0.0, touch, NULL);
            for (int i = 0; i < n; ++i) {
                patches += touch[i].size > 0.0;
                points += touch[i].size == 0.0;
            }
        }
    }
    CHECK(t, strcmp(cell, "a") == 0 ? patches > 0 && points == 0 : patches == 0);
}

TEST(the_guide_lists_all_pairs)
{
    Table table;
    int types = 0;
    read_table(t, &table);
    while (tml_shape_types[types] != NULL) {
        ++types;
    }
    CHECK_INT(t, table.n, types);
    for (int i = 0; i < table.n; ++i) {
        for (int j = 0; j <= i; ++j) {
            const TmlShapeType *a = tml_find_shape_type(table.name[i]);
            const TmlShapeType *b = tml_find_shape_type(table.name[j]);
            char name[80];
            snprintf(name, sizeof name, "%s-%s", table.name[i], table.name[j]);
            t->name = name;
            CHECK(t, a != NULL && b != NULL);
            CHECK_INT(t, a != NULL && b != NULL && tml_can_touch(a, b),
                      strcmp(table.cell[i][j], "-") != 0);
            if (a != NULL && b != NULL && tml_can_touch(a, b) && shape_is_plain(a) &&
                shape_is_plain(b)) {
                look(t, a, b, table.cell[i][j]);
            }
        }
    }
    t->name = NULL;
}

TEST_SUITE(pairs_table) = {CASE(the_guide_lists_all_pairs), {0}};
