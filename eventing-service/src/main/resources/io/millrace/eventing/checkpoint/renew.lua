-- Begins or prolongs the lease of a node; now and then forgets nodes whose leases ended long ago.
--
-- KEYS[1] leases  HASH  node -> when its lease ends, in milliseconds since 1970
-- ARGV[1] node
-- ARGV[2] millis  how long from now on; 0 ends the lease
--
-- Returns { when it ends }.
local leases, node, millis = KEYS[1], ARGV[1], tonumber(ARGV[2])

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if millis == 0 then
  redis.call('HDEL', leases, node)
  return { now }
end
redis.call('HSET', leases, node, string.format('%.0f', now + millis))
if redis.call('HLEN', leases) > 100 then
  local all = redis.call('HGETALL', leases)
  for i = 1, #all, 2 do
    if tonumber(all[i + 1]) + 3600000 < now then
      redis.call('HDEL', leases, all[i])
    end
  end
end
return { now + millis }
