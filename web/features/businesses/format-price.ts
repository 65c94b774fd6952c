import type { Product } from '../../../contracts/menus.ts'
import { numberFormat } from '../../lib/format.ts'

/** "12.50" of USD → "$12.50". The text goes to the formatter as it is: no detour over binary fractions. */
export function formatPrice(price: string, currency: Product['currency']): string {
  return numberFormat({ style: 'currency', currency }).format(price as `${number}`)
}
