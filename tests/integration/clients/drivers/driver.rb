# As driver.py, for a program of the page that is cache.rb beside this file.
require_relative "cache"

Dalli.logger.level = Logger::FATAL
kept = nil
$stdin.each_line do |question|
  cache = question == "new\n" || kept.nil? ? new_cache : kept
  kept ||= cache
  cache.set("page", "told")
  value = cache.get("page")
  puts value == "told" ? "ok" : "the value is #{value.inspect}"
rescue StandardError => e
  puts e.detailed_message(highlight: false).gsub(/\s+/, " ")
ensure
  $stdout.flush
end
