-- Changes the catalog's entry of one bucket, if it is still the one that the caller has read.
--
-- KEYS  1 catalog   HASH, descriptors by bucket
-- ARGV  1 bucket
--       2 expected  the entry as read, empty when there was none
--       3 entry     the new one
-- Returns O done, C another caller has changed it meanwhile

local function swap(keys, args)
  local catalog = keys[1]
  local bucket, expected, entry = args[1], args[2], args[3]

  if (redis.call('HGET', catalog, bucket) or '') ~= expected then return 'C' end
  redis.call('HSET', catalog, bucket, entry)
  redis.call('PUBLISH', 'mr:bell', 'catalog:' .. bucket)
  return 'O'
end

redis.register_function(LIBRARY .. '_swap', swap)
