// The one script of the page: in a document it shows a match, in a worker it reviews a deal.

import { show } from "./page";
import { serve } from "./review/worker";

if (typeof document === "undefined") serve();
else show();
