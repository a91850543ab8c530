-- Makes a timer of a dead letter again.
--
-- KEYS[1] gate, KEYS[2] dir, KEYS[3] due, KEYS[4] rec, KEYS[5] dead
-- ARGV[1] instance, ARGV[2] partition
-- ARGV[3] version     of the timer that died
-- ARGV[4] at          millisecond
-- ARGV[5] attributes  of the new timer
--
-- Returns 0 when there is no such letter, 1, 2 when there is a timer of that id, so that nothing was changed, or
-- FENCED when the function was undeployed.
local function replay(KEYS, ARGV)
  if redis.call('HGET', KEYS[1], 'instance') ~= ARGV[1] then
    return FENCED
  end
  local letter = redis.call('ZRANGEBYSCORE', KEYS[5], ARGV[3], ARGV[3])[1]
  if not letter then
    return 0
  end
  local id_length, error_length, from = letter:match('^%-?%d+ %-?%d+ (%d+) (%d+)\n()')
  local id = letter:sub(from, from + id_length - 1)
  if redis.call('HEXISTS', KEYS[4], id) == 1 then
    return 2
  end
  local record = letter:sub(from + id_length + error_length)
  put(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[2], id, ARGV[4], ARGV[5] .. behind_attributes(record))
  redis.call('ZREM', KEYS[5], letter)
  return 1
end

redis.register_function(LIBRARY .. '_replay', replay)
