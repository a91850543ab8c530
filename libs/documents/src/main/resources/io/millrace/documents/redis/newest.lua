-- Returns the newest seqno of a shard, also while Redis takes no writes.
--
-- KEYS  1 meta   HASH, the shard
-- ARGV  1 inc    the incarnation that the caller believes in
-- Returns the newest seqno.
--         S unknown shard or incarnation

local function newest(keys, args)
  if not enter(keys[1], args[1]) then return 'S' end
  return redis.call('HGET', keys[1], 'n')
end

redis.register_function{function_name = LIBRARY .. '_newest', callback = newest, flags = {'no-writes'}}
