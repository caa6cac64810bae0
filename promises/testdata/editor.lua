-- Steps in Neovim, after the lines of docs/editors.md. Each waits for a condition. What was seen goes to the file $SEEN, as JSON.
local seen = { version = vim.version().major .. "." .. vim.version().minor, said = {}, asked = {} }
local patience = 60000

vim.lsp.handlers["window/showMessageRequest"] = function(_, result)
  table.insert(seen.asked, result.message)
  return result.actions[1]
end
vim.lsp.handlers["window/showMessage"] = function(_, result)
  table.insert(seen.said, result.message)
  return result
end

local function await(what, condition)
  if not vim.wait(patience, condition, 20) then
    error("not within the time: " .. what)
  end
end

local function diagnostics(buffer, code)
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    local of = (d.user_data and d.user_data.lsp and d.user_data.lsp.code) or d.code
    if code == nil or of == code then
      table.insert(found, d)
    end
  end
  return found
end

local function client(buffer)
  local found
  await("a client of the buffer", function()
    for _, c in pairs(vim.lsp.buf_get_clients and vim.lsp.buf_get_clients(buffer) or vim.lsp.get_clients({ bufnr = buffer })) do
      if c.name == "fieldmark" and c.initialized then
        found = c
      end
    end
    return found ~= nil
  end)
  return found
end

local function request(buffer, method, params)
  local answer, err = client(buffer).request_sync(method, params, patience, buffer)
  if err then
    error(method .. ": " .. err)
  end
  if answer.err then
    error(method .. ": " .. vim.inspect(answer.err))
  end
  return answer.result
end

local function actions(buffer, line)
  local place = { line = line, character = 0 }
  return request(buffer, "textDocument/codeAction", {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = { start = place, ["end"] = place },
    context = { diagnostics = {} },
  })
end

local function image(buffer)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find("image:", 1, true) then
      return i - 1
    end
  end
end

local function steps()
  vim.cmd("filetype on")
  vim.cmd("edit web.yaml")
  local buffer = vim.api.nvim_get_current_buf()
  local first = client(buffer)
  for _, action in ipairs(actions(buffer, 0)) do
    if action.command and action.command.command == "fieldmark.check" then
      seen.offered = action.title
      request(buffer, "workspace/executeCommand", { command = action.command.command, arguments = action.command.arguments })
    end
  end
  await("the conflict", function() return #diagnostics(buffer, "conflict") > 0 end)
  seen.conflict = diagnostics(buffer, "conflict")[1].message
  local line = image(buffer)
  seen.hover = request(buffer, "textDocument/hover", {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = line, character = 12 },
  }).contents.value
  for _, action in ipairs(actions(buffer, line)) do
    if action.title:find("Give up the field (conflict", 1, true) then
      seen.applied = action.title
      vim.lsp.util.apply_workspace_edit(action.edit, first.offset_encoding)
    end
  end
  seen.text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
  await("the end of the conflict about the image", function()
    for _, d in ipairs(diagnostics(buffer, "conflict")) do
      if d.message:find("image", 1, true) then
        return false
      end
    end
    return #diagnostics(buffer) > 0
  end)

  vim.cmd("edit! big.yaml")
  local big = vim.api.nvim_get_current_buf()
  await("the words about a large file", function() return #diagnostics(big, "too-long") == 1 end)
  local slowest = 0
  for i = 1, 200 do
    local began = vim.loop.hrtime()
    vim.api.nvim_buf_set_text(big, i, 2, i, 2, { "x" })
    slowest = math.max(slowest, (vim.loop.hrtime() - began) / 1e6)
  end
  seen.slowest_key_ms = slowest
  await("the words about the changed file", function() return #diagnostics(big, "too-long") == 1 end)

  vim.loop.kill(first.rpc.pid, "sigkill")
  await("the end of the server", function() return vim.lsp.client_is_stopped(first.id) end)
  vim.api.nvim_buf_set_text(big, 0, 0, 0, 0, { "# Neovim goes on" })
  seen.goes_on = vim.api.nvim_buf_get_lines(big, 0, 1, false)[1]
  vim.cmd("edit! broken.yaml")
  local broken = vim.api.nvim_get_current_buf()
  seen.restarted = client(broken).id ~= first.id
  await("diagnostics of the new server", function() return #diagnostics(broken, "syntax") == 1 end)
end

local ok, why = xpcall(steps, debug.traceback)
if not ok then
  seen.failed = why
end
local file = io.open(os.getenv("SEEN"), "w")
file:write(vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen))
file:close()
vim.cmd("qall!")
