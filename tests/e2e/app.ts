import { expect, type Page, type Response, type Route } from '@playwright/test'

/** Waits until the app has rendered its first screen. Clicks wait for it automatically, but a key press would come too early. */
export const appIsThere = (page: Page): Promise<void> => expect(page.locator('main')).toBeAttached()

/** Delays requests to an address until the returned function is called. They then continue, or get the response from `then`. */
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
 * The response to the next write to an address. The screen updates optimistically, so a reload, or another person's page, has to
 * wait for this. Call it before the click.
 */
export const written = (page: Page, address: RegExp): Promise<Response> =>
  page.waitForResponse((answer) => answer.request().method() !== 'GET' && address.test(new URL(answer.url()).pathname))
