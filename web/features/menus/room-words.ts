import type * as z from 'zod/mini'
import type { MenuRoom } from '../../../contracts/menus.ts'
import { counted } from '../../lib/counted.ts'
import { formatNumber } from '../../lib/format.ts'

type Room = z.infer<typeof MenuRoom>

/** "4 of 5 items", or "120 items" where nothing limits them. */
export const roomWords = ({ itemCount, itemLimit }: Room): string =>
  itemLimit === null ? counted(itemCount, 'item') : `${formatNumber(itemCount)} of ${counted(itemLimit, 'item')}`

/** How many more there is room for. */
export const roomLeft = ({ itemCount, itemLimit }: Room): number =>
  itemLimit === null ? Number.POSITIVE_INFINITY : Math.max(0, itemLimit - itemCount)
