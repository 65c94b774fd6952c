export const maxPasskeys = 20
