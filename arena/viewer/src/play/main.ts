// The one script of the page.

import { options } from "preact";
import { show } from "./app";

// What comes at once is drawn at once: a match that is joined late sends all its lines together.
options.debounceRendering = setTimeout;

show();
