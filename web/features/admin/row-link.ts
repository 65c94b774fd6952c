import { textLink } from '../../ui/link-styles.ts'

/** A link in the row of a list: under a finger as high as a button, so that none lies on its neighbors. */
export const rowLink = `${textLink} inline-flex items-center wrap-anywhere pointer-coarse:min-h-11 pointer-coarse:min-w-11`
