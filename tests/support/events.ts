import type { TestApp } from './test-app.ts'

/** Writes down the names of the events that are published from now on; they are published all the same. */
export function recordEvents(test: TestApp): string[] {
  const published: string[] = []
  const publish = test.ctx.events.publish
  test.ctx.events.publish = async (tx, name, data) => {
    published.push(name)
    return publish(tx, name, data)
  }
  return published
}
