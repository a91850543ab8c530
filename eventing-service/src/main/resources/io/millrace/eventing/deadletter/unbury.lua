-- Drops dead letters, or marks them for a replay.
--
-- KEYS  1 letters  HASH, see bury.lua
--       2 order    ZSET, see bury.lua
--       3 replays  SET, see bury.lua
-- ARGV  1 action   drop or replay
--       2 ...      names
-- Returns { how many of the names were found }
--
-- Announces marked letters on the channel of all notifications, with the name of their key as the topic.

local function unbury(keys, args)
  local letters, order, replays, action = keys[1], keys[2], keys[3], args[1]

  local found = 0
  for i = 2, #args do
    if redis.call('ZSCORE', order, args[i]) then
      found = found + 1
      if action == 'replay' then
        redis.call('SADD', replays, args[i])
      else
        redis.call('HDEL', letters, args[i])
        redis.call('ZREM', order, args[i])
        redis.call('SREM', replays, args[i])
      end
    end
  end
  if action == 'replay' and found > 0 then
    redis.call('PUBLISH', 'mr:bell', replays .. ':')
  end
  return { found }
end

-- letters can be dropped when memory is full
redis.register_function{function_name = LIBRARY .. '_unbury', callback = unbury, flags = {'allow-oom'}}
