// Actions that take several requests over one connection: subscriptions and tasks. Each returns a function that runs the
// action with a server of a `Front` and throws on failure.
import { deepEqual, equal, match } from 'node:assert/strict'

const nothing = {
  toolsListChanged: false,
  promptsListChanged: false,
  resourcesListChanged: false,
  resourceUris: [],
  taskIds: [],
}

/** Calls a tool and returns the outcome. */
async function call(front, serverId, [name, argumentsJson = '{}'], asTask) {
  const exchange = front.open('tool_call', { serverId, name, argumentsJson, metaJson: null, timeouts: null, asTask })
  const { outcome } = await exchange.until('finished')
  return outcome
}

/** Calls a tool, which must return a result. */
async function answered(front, serverId, tool) {
  const outcome = await call(front, serverId, tool)
  equal(outcome.type, 'result', JSON.stringify(outcome))
}

/** The recorded methods, oldest first: `> tools/call` was sent, `<` received. */
async function crossed(front, filter) {
  const { rows } = await front.call('traffic_rows', { filter, offset: 0, limit: 500 })
  return rows.map(({ direction, method }) => `${direction === 'clientToServer' ? '>' : '<'} ${method}`)
}

/** The first of `wanted` that does not occur in `all` in this order; others may occur in between. */
function missing(wanted, all) {
  let from = 0
  return wanted.find((each) => {
    const at = all.indexOf(each, from)
    from = at + 1
    return at < 0
  })
}

/** Expects these methods in this order; others may occur in between. The log may lag slightly behind. */
async function inOrder(front, serverId, wanted) {
  const filter = `server:"${serverId}" kind:request,notification`
  const log = front.open('traffic_tail', { filter })
  const end = AbortSignal.timeout(10_000)
  const late = new Promise((resolve) => end.addEventListener('abort', resolve))
  let all = await crossed(front, filter)
  while (missing(wanted, all) && !end.aborted) {
    await Promise.race([log.next(), late])
    all = await crossed(front, filter)
  }
  log.close()
  equal(missing(wanted, all), undefined, `not in its place: ${missing(wanted, all)}; there are ${all.join(', ')}`)
}

/** Calls `tools` and expects the notifications `told`, in this order. */
async function told(subscription, front, serverId, { tools, told: wanted }) {
  for (const tool of tools) await answered(front, serverId, tool)
  for (const [method, subject = null] of wanted) {
    const heard = await subscription.until('notified')
    deepEqual([heard.method, heard.subject], [method, subject])
  }
}

/**
 * `subscriptions/listen`: requests `asks`, expects `granted` (by default all of it), calls `tools`, expects the
 * notifications `told`, and ends the stream: by calling the tool `ends`, which makes the server end it, or by closing it.
 */
export const listens = ({ asks, granted = asks, tools, told: wanted, ends }) => async (front, serverId) => {
  const subscription = front.open('subscription_open', { serverId, filter: { ...nothing, ...asks } })
  const { exchangeId } = await subscription.until('opened')
  deepEqual((await subscription.until('acknowledged')).granted, { ...nothing, ...granted })
  await told(subscription, front, serverId, { tools, told: wanted })
  if (ends) await answered(front, serverId, ends)
  else await front.call('exchange_cancel', { exchangeId })
  const ended = await subscription.until('ended')
  equal(ended.end, ends ? 'graceful' : 'cancelled', ended.reason)
  await inOrder(front, serverId, [
    '> subscriptions/listen',
    '< notifications/subscriptions/acknowledged',
    ...wanted.map(([method]) => `< ${method}`),
  ])
  // The connection outlives it.
  await front.call('tool_list', { serverId, refresh: true, cursor: null })
}

/** `resources/subscribe` (up to 2025-11-25), notifications caused by calling `tools`, `resources/unsubscribe`. */
export const subscribes = ({ uri, tools = [], told: wanted = [] }) => async (front, serverId) => {
  const asks = { ...nothing, resourceUris: [uri] }
  const subscription = front.open('subscription_open', { serverId, filter: asks })
  deepEqual((await subscription.until('acknowledged')).granted, asks)
  await told(subscription, front, serverId, { tools, told: wanted })
  subscription.close()
  await inOrder(front, serverId, [
    '> resources/subscribe',
    ...wanted.map(([method]) => `< ${method}`),
    '> resources/unsubscribe',
  ])
}

/** A call that becomes a task, is polled until it has ended, and has `result`. */
export const becomesTask = ({ tool, result }) => async (front, serverId) => {
  const { type, task, raw } = await call(front, serverId, tool, { ttlMs: 60_000 })
  equal(type, 'task', raw?.inline)
  const following = front.open('task_result', { serverId, taskId: task.taskId })
  equal((await following.until('task')).task.taskId, task.taskId)
  const { outcome } = await following.until('finished')
  equal(outcome.type, 'result', JSON.stringify(outcome))
  match(outcome.raw.inline ?? '', result)
  const { connection } = await front.call('connection_get', { serverId })
  // Up to 2025-11-25 the result is asked for; later it is in the last answer about the task.
  const fetched = connection.era === 'legacy' ? ['> tasks/result'] : []
  await inOrder(front, serverId, ['> tools/call', '> tasks/get', ...fetched])
}

/** A call that becomes a slow task (2026-07-28), which is cancelled. */
export const cancelsTask = ({ tool }) => async (front, serverId) => {
  const { type, task, raw } = await call(front, serverId, tool, { ttlMs: 60_000 })
  equal(type, 'task', raw?.inline)
  equal((await front.call('task_get', { serverId, taskId: task.taskId })).isFinal, false)
  const following = front.open('task_result', { serverId, taskId: task.taskId })
  await following.until('task')
  await front.call('task_cancel', { serverId, taskId: task.taskId })
  const { outcome } = await following.until('finished')
  equal(outcome.type, 'cancelled', JSON.stringify(outcome))
  equal((await front.call('task_get', { serverId, taskId: task.taskId })).status, 'cancelled')
  await inOrder(front, serverId, ['> tools/call', '> tasks/get', '> tasks/cancel', '> tasks/get'])
}
