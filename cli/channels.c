/* cli/channels.c - lists of channels. */
#include "cli.h"

#include <stdio.h>

static void list_channel(const TmlChannels *c, int channel)
{
    const TmlChannelInfo info = tml_channels_info(c, channel);
    if (info.unit[0] != '\0') {
        printf("%-40s %s\n", info.name, info.unit);
    } else {
        printf("%s\n", info.name);
    }
}

int cli_list_channels(const TmlChannels *c, int n, char **patterns)
{
    TmlError err = {0};
    for (int k = 0; k < tml_channels_count(c) && n == 0; ++k) {
        list_channel(c, k);
    }
    for (int k = 0; k < n; ++k) {
        int at = tml_channels_match(c, patterns[k], 0);
        if (at < 0) {
            return cli_fail(tml_channels_unknown(c, patterns[k], &err), &err);
        }
        for (; at >= 0; at = tml_channels_match(c, patterns[k], at + 1)) {
            list_channel(c, at);
        }
    }
    return 0;
}
