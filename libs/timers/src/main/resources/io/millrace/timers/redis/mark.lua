-- Notes in a partition how far the feed has been read, when what is noted there is what its owner believes.
--
-- KEYS[1] gate, KEYS[2] dir, KEYS[3] due, KEYS[4] rec
-- ARGV[1] partition, ARGV[2] epoch, ARGV[3] expected, ARGV[4] next
--
-- Returns { what is noted now }, or FENCED when another epoch owns the partition. When one of the two keys lost
-- something, what has no other half is removed and nothing is noted any more.
local function mark(KEYS, ARGV)
  local gate, dir, due, rec = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
  if not owned(gate, ARGV[1], ARGV[2]) then
    return FENCED
  end
  local noted = redis.call('HGET', rec, MARK) or ''
  local records = redis.call('HLEN', rec) - (noted == '' and 0 or 1)
  if redis.call('ZCARD', due) ~= records then
    for _, id in ipairs(redis.call('HKEYS', rec)) do
      if id == MARK or not redis.call('ZSCORE', due, id) then
        redis.call('HDEL', rec, id)
      end
    end
    for _, id in ipairs(redis.call('ZRANGE', due, 0, -1)) do
      if redis.call('HEXISTS', rec, id) == 0 then
        redis.call('ZREM', due, id)
      end
    end
    enter_head(dir, due, ARGV[1])
    return { '' }
  end
  if noted ~= ARGV[3] then
    return { noted }
  end
  redis.call('HSET', rec, MARK, ARGV[4])
  return { ARGV[4] }
end

redis.register_function(LIBRARY .. '_mark', mark)
