import { quantityNano } from "./quantity";

/** Plain sizes only: memcached knows neither halves of bytes nor exponents. */
export const plainSize = "^[0-9]{1,15}([.][0-9]{1,6})?(k|M|G|T|Ki|Mi|Gi|Ti)?$";

/** A plain size in billionths of a byte; undefined for anything else. */
export const sizeNano = (text: string): bigint | undefined =>
  new RegExp(plainSize).test(text) ? quantityNano(text) : undefined;
