import type { TestApp } from './test-app.ts'

/** Records the names of events published from now on, without suppressing them. */
export function recordEvents(test: TestApp): string[] {
  const published: string[] = []
  const publish = test.ctx.events.publish
  test.ctx.events.publish = async (tx, name, data) => {
    published.push(name)
    return publish(tx, name, data)
  }
  return published
}
