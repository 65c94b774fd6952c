/** A URL that won't be fetched, or that didn't return a picture. Retrying doesn't help. */
export class OutsideRefused extends Error {
  override readonly name = 'OutsideRefused'
}

/**
 * Fetches a picture of at most `maxImageBytes` from another site, anonymously and never from a private network.
 * @throws OutsideRefused; retrying may help for any other error
 */
export type FetchPicture = (url: string) => Promise<Buffer>
