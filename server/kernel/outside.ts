/** An address that will not be fetched, or did not answer a picture; trying again changes nothing. */
export class OutsideRefused extends Error {
  override readonly name = 'OutsideRefused'
}

/**
 * Fetches a picture from another site, as nobody in particular, at most `maxImageBytes`, and never from a private network.
 * @throws OutsideRefused; anything else that is thrown may be different the next time
 */
export type FetchPicture = (url: string) => Promise<Buffer>
