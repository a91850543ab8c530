-- Creates a timer unless there is one with its id.
--
-- KEYS  1 gate, 2 dir, 3 due, 4 rec: see shared.lua
-- ARGV  as of create.lua
-- Returns 1 done, 2 a timer of this id exists, FENCED the function has been undeployed or deployed again since
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
