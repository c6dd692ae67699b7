// The scalable Bloom filter (P. Almeida et al., "Scalable Bloom Filters", 2007): layers that grow by a factor, their
// rates falling by another, r. A stranger is taken for a member if any layer takes it, so the rates add up, and
//
//   e·(1 − r) + e·(1 − r)·r + e·(1 − r)·r² + … = e
//
// stays below e however many layers there are.

export interface Layers {
  /** Of the first layer. */
  readonly capacity: number;
  /** Of all layers together. */
  readonly errorRate: number;
  readonly growth: number;
  readonly tightening: number;
}

/** The options of layer i, counted from 0. */
export function layerSize({ capacity, errorRate, growth, tightening }: Layers, i: number) {
  return { capacity: capacity * growth ** i, errorRate: errorRate * (1 - tightening) * tightening ** i };
}

/** How many keys so many layers hold. */
export function layersCapacity({ capacity, growth }: Layers, layers: number): number {
  let sum = 0;
  for (let i = 0; i < layers; i++) sum += capacity * growth ** i;
  return sum;
}
