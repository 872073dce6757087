// The one script of the page.

import { show } from "./app";

setTimeout(show); // the browser may look after its reader in between
