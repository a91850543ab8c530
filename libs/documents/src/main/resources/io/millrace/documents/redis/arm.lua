-- Requests a notification by a shard, for a reader that has read everything up to a seqno.
--
-- KEYS  1 meta   HASH, the shard
-- ARGV  1 inc    the incarnation that the caller believes in
--       2 since  the seqno up to which the reader has read
-- Returns the newest seqno: the notification is armed when it equals since, and there is something to read when it is greater.
--         S unknown shard or incarnation

local function arm(keys, args)
  local meta = keys[1]
  local inc, since = args[1], args[2]

  if not enter(meta, inc) then return 'S' end
  local newest = redis.call('HGET', meta, 'n')
  if newest == since then redis.call('HSET', meta, 'gate', inc .. '!') end
  return newest
end

redis.register_function{function_name = LIBRARY .. '_arm', callback = arm, flags = {'allow-oom'}}
