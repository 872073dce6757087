// The one script of the page.

import { show } from "./app";

show();
