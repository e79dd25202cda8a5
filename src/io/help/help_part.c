/* io/help/help_part.c - the keys of a part's description (PART.yaml). */
#include "io/help/help_part.h"

#include "io/part/description/part_read.h"
#include "io/part/frame_read.h"

void tml_help_part(TmlHelpPage *p)
{
    tml_page_heading(p, "parts", "file");
    tml_page_paragraph(p,
                       "The description of a finite-element part that 'trammel reduce' turns into "
                       "modes: a file of its own, not a section of a model.");
    tml_page_keys(p, "keys", tml_keys_of_part);
    tml_page_keys(p, "matrices", tml_keys_of_part_matrices);
    tml_page_keys(p, "beams", tml_beams_keys);
    tml_page_keys(p, "a section of beams", tml_beams_keys_section);
    tml_page_keys(p, "a member of beams", tml_beams_keys_member);
    tml_page_keys(p, "material", tml_keys_of_part_material);
    tml_page_keys(p, "an interface", tml_keys_of_part_interface);
    tml_page_keys(p, "modes", tml_keys_of_part_modes);
    tml_page_keys(p, "damping", tml_keys_of_part_damping);
    tml_page_keys(p, "stiffening", tml_keys_of_part_stiffening);
    tml_page_keys(p, "a load case of stiffening", tml_keys_of_part_load);
    tml_page_keys(p, "a load of `loads`, or of the list of such", tml_keys_of_part_applied);
    tml_page_keys(p, "a node to keep", tml_keys_of_part_kept);
}
