-- Sends the requests of BENCH_REQUESTS in turn, over and over. Each is a line: method, path, cookie, body, with tabs
-- between; BENCH_FIELDS holds further header fields, a line each.
--
-- With BENCH_STATUS every answer must have that status, and a Location that begins with BENCH_LOCATION; the others are
-- counted as wrong. wrk reads header fields for a script that looks at answers only, which costs it time of its own.
sent, wrong = 0, 0

local requests = {}
local threads = {}

function setup(thread) threads[#threads + 1] = thread end

function init()
  local common = {}
  for name, value in (os.getenv("BENCH_FIELDS") or ""):gmatch("([^:\n]+): ([^\n]*)") do common[name] = value end
  for line in io.lines(os.getenv("BENCH_REQUESTS")) do
    local method, path, cookie, body = line:match("^(.-)\t(.-)\t(.-)\t(.*)$")
    local fields = {}
    for name, value in pairs(common) do fields[name] = value end
    if cookie ~= "" then fields["Cookie"] = cookie end
    if method == "POST" then
      fields["Content-Type"] = "application/x-www-form-urlencoded"
      fields["Sec-Fetch-Site"] = "same-origin"
    end
    requests[#requests + 1] = wrk.format(method, path, fields, body ~= "" and body or nil)
  end
end

function request()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

local status, location = tonumber(os.getenv("BENCH_STATUS")), os.getenv("BENCH_LOCATION") or ""
if status then
  function response(answered, fields)
    local to = fields["Location"] or fields["location"] or ""
    if answered ~= status or to:sub(1, #location) ~= location then wrong = wrong + 1 end
  end
end

function done(summary, latency)
  local errors = summary.errors
  print("figures", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    threads[1]:get("sent"), status and threads[1]:get("wrong") or errors.status,
    errors.connect + errors.read + errors.write + errors.timeout)
end
