declare module "bloomfilter" {
  export class BloomFilter {
    static withTargetError(capacity: number, errorRate: number): BloomFilter;
    readonly buckets: Uint32Array;
    add(key: string): void;
    test(key: string): boolean;
  }
}
