-- Makes a shard ready for what a move brings. Of two moves the later one counts.
--
-- KEYS  1 meta   HASH, the shard
-- ARGV  1 move   names the caller
-- Returns O ready, S the shard is open

local function expect(keys, args)
  if redis.call('HEXISTS', keys[1], 'gate') == 1 then return 'S' end
  redis.call('HSET', keys[1], 'arriving', args[1])
  return 'O'
end

redis.register_function(LIBRARY .. '_expect', expect)
