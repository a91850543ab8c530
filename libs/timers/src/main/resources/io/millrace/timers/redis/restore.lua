-- Creates a timer unless there is one with its id.
--
-- KEYS[1] gate, KEYS[2] dir, KEYS[3] due, KEYS[4] rec
-- ARGV as in create.lua
--
-- Returns 1, 2 when there is one already, or FENCED when the function has been undeployed or deployed anew since.
local function restore(KEYS, ARGV)
  if redis.call('HGET', KEYS[1], 'instance') ~= ARGV[1] then
    return FENCED
  end
  if redis.call('ZSCORE', KEYS[3], ARGV[3]) then
    return 2
  end
  put(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
  return 1
end

redis.register_function(LIBRARY .. '_restore', restore)
