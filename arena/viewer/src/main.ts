// The script of the page that replays a match.

import { show } from "./page";

void show();
