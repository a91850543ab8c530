-- Claims the earliest timers that are due in some partitions. They stay where they are until they are confirmed.
--
-- KEYS[1] gate, KEYS[2] dir, KEYS[2i+1] due, KEYS[2i+2] rec
-- ARGV[1] bytes      about the most bytes of records; one record is always handed out
-- ARGV[5i-3] partition, ARGV[5i-2] epoch
-- ARGV[5i-1] nonce   of this claim; one that was used last is a claim whose answer was lost
-- ARGV[5i] now       millisecond
-- ARGV[5i+1] limit   the most timers
--
-- Returns for each partition { id, due, record, ... }, or FENCED when another epoch owns it; those for which there were
-- no bytes left are missing at the end. A repeated claim claims nothing and returns all that is claimed in the partition.
local function add(answer, rec, id, at)
  local record = redis.call('HGET', rec, id)
  if record then
    answer[#answer + 1] = id
    answer[#answer + 1] = at
    answer[#answer + 1] = record
  end
  return record
end

local function claimed(due, rec, room)
  local answer = {}
  local found = redis.call('ZRANGEBYSCORE', due, CLAIMED, '+inf', 'WITHSCORES')
  for i = 1, #found, 2 do
    local record = add(answer, rec, found[i], string.format('%.0f', tonumber(found[i + 1]) - CLAIMED))
    room = room - (record and #record or 0)
  end
  return answer, room
end

local function fresh(due, rec, now, limit, room)
  local answer, claims = {}, {}
  local found = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'WITHSCORES', 'LIMIT', 0, limit)
  for i = 1, #found, 2 do
    local id, at = found[i], found[i + 1]
    local record = add(answer, rec, id, at)
    if record then
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
  return answer, room
end

local function claim(KEYS, ARGV)
  local gate, dir = KEYS[1], KEYS[2]
  local room, answers, nonces = tonumber(ARGV[1]), {}, {}
  for i = 1, (#KEYS - 2) / 2 do
    if room <= 0 then
      break
    end
    local due, rec, at = KEYS[2 * i + 1], KEYS[2 * i + 2], 5 * i - 3
    local partition, nonce = ARGV[at], ARGV[at + 2]
    local known = redis.call('HMGET', gate, 'e' .. partition, 'c' .. partition)
    if known[1] ~= ARGV[at + 1] then
      answers[i] = FENCED
    elseif known[2] == nonce then
      answers[i], room = claimed(due, rec, room)
    else
      answers[i], room = fresh(due, rec, ARGV[at + 3], ARGV[at + 4], room)
      nonces[#nonces + 1] = 'c' .. partition
      nonces[#nonces + 1] = nonce
      enter_head(dir, due, partition)
    end
  end
  if #nonces > 0 then
    redis.call('HSET', gate, unpack(nonces))
  end
  return answers
end

redis.register_function(LIBRARY .. '_claim', claim)
