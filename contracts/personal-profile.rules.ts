export const interestOptions = [
  'Flower',
  'Edibles',
  'Concentrates',
  'Topicals',
  'CBD Products',
  'Accessories',
  'Growing Tips',
  'Industry News',
] as const
