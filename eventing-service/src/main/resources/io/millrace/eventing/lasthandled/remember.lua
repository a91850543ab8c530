-- Records the states of documents that a function has handled, each if the caller still owns the document's vbucket.
--
-- KEYS  1 handled      HASH, states by document
--       2 checkpoints  HASH, see claim.lua of checkpoints
-- ARGV  1 ...          per document: vbucket, epoch with which the caller owns it, name, state (empty: forget it)
-- Returns { how many were not written because their epochs are not current }

local ARGS_PER_DOCUMENT = 4

local function remember(keys, args)
  local handled, checkpoints = keys[1], keys[2]

  local fenced = 0
  for i = 1, #args, ARGS_PER_DOCUMENT do
    local vbucket, epoch, name, state = args[i], args[i + 1], args[i + 2], args[i + 3]
    local checkpoint = redis.call('HGET', checkpoints, vbucket)
    if not checkpoint or string.match(checkpoint, '^1 (%d+) ') ~= epoch then
      fenced = fenced + 1
    elseif state == '' then
      redis.call('HDEL', handled, name)
    else
      redis.call('HSET', handled, name, state)
    end
  end
  return { fenced }
end

redis.register_function(LIBRARY .. '_remember', remember)
