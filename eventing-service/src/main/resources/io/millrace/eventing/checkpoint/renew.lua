-- Starts or extends the lease of a node. Forgets nodes whose leases ended over an hour ago when there are many.
--
-- KEYS  1 leases  HASH, the end of a lease in milliseconds since 1970 by node
-- ARGV  1 node
--       2 millis  how long from now on; 0 ends the lease
-- Returns { the end of the lease in milliseconds since 1970, the run of Redis, 1 if there was no lease until now or else 0 }

local MANY_NODES = 100
local FORGET_AFTER_MILLIS = 3600000

local function renew(keys, args)
  local leases, node, millis = keys[1], args[1], tonumber(args[2])

  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local run = redis.call('INFO', 'server'):match('run_id:(%x+)')
  if millis == 0 then
    redis.call('HDEL', leases, node)
    return { now, run, 0 }
  end
  local known = redis.call('HGET', leases, node)
  local lapsed = (not known or tonumber(known) < now) and 1 or 0
  redis.call('HSET', leases, node, string.format('%.0f', now + millis))
  if redis.call('HLEN', leases) > MANY_NODES then
    local all = redis.call('HGETALL', leases)
    for i = 1, #all, 2 do
      if tonumber(all[i + 1]) + FORGET_AFTER_MILLIS < now then
        redis.call('HDEL', leases, all[i])
      end
    end
  end
  return { now + millis, run, lapsed }
end

redis.register_function(LIBRARY .. '_renew', renew)
