-- Adds messages to a stream, all or none, and lets it forget the oldest ones.
--
-- KEYS  1 the stream
-- ARGV  1 about how many messages the stream keeps
--       then for each message the number of the texts that follow, and these: names and values of its fields in turn
-- Returns how many messages were added
local function append(KEYS, ARGV)
  local at = 2
  local added = 0
  while at <= #ARGV do
    local texts = tonumber(ARGV[at])
    redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', unpack(ARGV, at + 1, at + texts))
    at = at + texts + 1
    added = added + 1
  end
  return added
end

redis.register_function(LIBRARY .. '_append', append)
