/* cli/terminal.h - what reaches the terminal is text.
 *
 * Titles, names and messages come from files that others have made. Control characters in them
 * could clear the screen, set its title or hide what follows; they are shown as text, such as \x1b.
 */
#pragma once

#include <stdbool.h>

/* From here on standard output and standard error pass through the filter. */
void cli_terminal_init(void);

/* Hand out what waits. False: standard output could not be written, and errno tells why. */
bool cli_terminal_end(void);

/* Bytes as they are: the progress line and its control codes; a document that was asked for. False:
 * they could not be written. */
bool cli_terminal_progress(const char *text);
bool cli_terminal_document(const char *text);
