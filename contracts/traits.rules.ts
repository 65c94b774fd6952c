export const maxTraitOptions = 40
