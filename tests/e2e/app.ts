import { expect, type Page, type Response, type Route } from '@playwright/test'

/**
 * The app has taken the place of the HTML that came with the page. A press with the mouse waits for that by itself; a key, a choice in a
 * list or a link that is to be followed inside of the app would come too early on a slow machine.
 */
export const appIsThere = (page: Page): Promise<void> => expect(page.locator('#root:not([data-ahead])')).toBeAttached()

/** Lets the calls of an address wait until the function that it answers is called; then they go on, or get what `then` says. */
export async function hold(
  page: Page,
  address: string | RegExp,
  then = (route: Route): Promise<void> => route.continue(),
): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    await released
    await then(route)
  })
  return release
}

/**
 * The answer to the next write to an address. What is shown at once is not kept yet: a reload, or somebody else's look, has to wait for
 * this. To be begun before the press.
 */
export const written = (page: Page, address: RegExp): Promise<Response> =>
  page.waitForResponse((answer) => answer.request().method() !== 'GET' && address.test(new URL(answer.url()).pathname))
