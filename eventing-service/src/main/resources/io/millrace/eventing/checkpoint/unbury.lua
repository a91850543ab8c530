-- Drops dead letters, or has them replayed.
--
-- KEYS[1] letters  HASH  as in bury.lua
-- KEYS[2] order    ZSET
-- KEYS[3] replays  SET
-- ARGV[1] what     drop or replay
-- ARGV[i] name     from 2 on
--
-- Returns { found }: how many of the names there were.
local letters, order, replays = KEYS[1], KEYS[2], KEYS[3]

local found = 0
for i = 2, #ARGV do
  if redis.call('ZSCORE', order, ARGV[i]) then
    found = found + 1
    if ARGV[1] == 'replay' then
      redis.call('SADD', replays, ARGV[i])
    else
      redis.call('HDEL', letters, ARGV[i])
      redis.call('ZREM', order, ARGV[i])
      redis.call('SREM', replays, ARGV[i])
    end
  end
end
return { found }
