from evalspan.anchoring import *
