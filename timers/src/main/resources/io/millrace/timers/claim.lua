-- Claims the earliest timers of a partition that are due. They stay where they are until they are confirmed.
--
-- KEYS[1] gate, KEYS[2] dir, KEYS[3] due, KEYS[4] rec
-- ARGV[1] partition, ARGV[2] epoch
-- ARGV[3] nonce   of this claim; one that was used last is a claim whose answer was lost
-- ARGV[4] now     millisecond
-- ARGV[5] limit   the most timers
-- ARGV[6] bytes   about the most bytes of records; one record is always handed out
--
-- Returns { id, due, record, ... }, or FENCED when another epoch owns the partition. A repeated claim claims nothing
-- and returns all that is claimed in the partition.
local function claim(KEYS, ARGV)
  local gate, dir, due, rec, partition = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1]
  if not owned(gate, partition, ARGV[2]) then
    return FENCED
  end
  local answer = {}
  if redis.call('HGET', gate, 'c' .. partition) == ARGV[3] then
    local claimed = redis.call('ZRANGEBYSCORE', due, CLAIMED, '+inf', 'WITHSCORES')
    for i = 1, #claimed, 2 do
      answer[#answer + 1] = claimed[i]
      answer[#answer + 1] = string.format('%.0f', tonumber(claimed[i + 1]) - CLAIMED)
      answer[#answer + 1] = redis.call('HGET', rec, claimed[i])
    end
    return answer
  end
  local found = redis.call('ZRANGEBYSCORE', due, '-inf', ARGV[4], 'WITHSCORES', 'LIMIT', 0, ARGV[5])
  local room, claims = tonumber(ARGV[6]), {}
  for i = 1, #found, 2 do
    local id, at = found[i], found[i + 1]
    local record = redis.call('HGET', rec, id)
    if record then
      answer[#answer + 1] = id
      answer[#answer + 1] = at
      answer[#answer + 1] = record
      claims[#claims + 1] = string.format('%.0f', tonumber(at) + CLAIMED)
      claims[#claims + 1] = id
      room = room - #record
      if room <= 0 then
        break
      end
    else
      redis.call('ZREM', due, id)
    end
  end
  if #claims > 0 then
    redis.call('ZADD', due, unpack(claims))
  end
  redis.call('HSET', gate, 'c' .. partition, ARGV[3])
  enter_head(dir, due, partition)
  return answer
end

redis.register_function(LIBRARY .. '_claim', claim)
