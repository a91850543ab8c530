local STEP = 2
