// methods - methods with different kinds of code, for readytorun.sh.  Each of them runs for a few
// milliseconds in turn, until 3 seconds are over, so that each is sampled.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

interface IShape { double Area(double scale); }
sealed class Circle : IShape { public double Area(double scale) => scale * scale * Math.PI; }
sealed class Square : IShape { public double Area(double scale) => scale * scale; }
struct Wide { public long A, B, C, D, E; public double F; public string G; }
sealed class Stack<T>
{
	T[] items = new T[4];
	int n;
	public void Push(T item)
	{
		if (n == items.Length)
			Array.Resize(ref items, n * 2);
		items[n++] = item;
	}
	public T Pop() => items[--n];
}

static class Methods
{
	static int counter;
	static volatile int seen;
	[ThreadStatic] static int local;
	static readonly object gate = new object();
	static readonly IShape[] shapes = { new Circle(), new Square(), new Circle() };

	static long Ints(int n)
	{
		uint h = 7;
		for (int i = 0; i < n; i++) {
			h ^= (uint)i * 2654435761u;
			h = ((h << 13) | (h >> 19)) * 5 + 1;
		}
		return h;
	}
	static long Divide(int n)
	{
		long sum = 1;
		for (int i = 1; i < n; i++)
			sum += 1000000007L * i % (i + 3) + i / 7 - (uint)i / 10 + (long)((ulong)i % 3);
		return sum;
	}
	static long Checked(int n)
	{
		int sum = 0;
		for (int i = 0; i < n; i++)
			sum = checked(sum + i % 5 * 3 - (short)(i & 1023));
		return sum;
	}
	static long Switch(int n)
	{
		long sum = 0;
		for (int i = 0; i < n; i++)
			switch (i % 11) {
			case 0: sum += i; break;
			case 1: sum ^= i; break;
			case 2: sum -= i; break;
			case 3: sum = -sum; break;
			case 4: sum <<= 1; break;
			case 5: sum |= 5; break;
			case 6: sum >>= 2; break;
			case 8: sum *= 3; break;
			case 9: sum = ~sum; break;
			}
		return sum;
	}
	static long Doubles(int n)
	{
		double x = 0.5;
		for (int i = 1; i < n; i++)
			x = Math.Sqrt(x * i + 1.25) / (x + 2) + Math.Abs(x - i) + Math.Max(x, 0.25) - Math.Floor(x);
		return (long)x;
	}
	static long Floats(int n)
	{
		float x = 0.5f;
		for (int i = 1; i < n; i++)
			x = MathF.Sqrt(x + i) * 0.5f - (float)(i & 3) / x + (x < 2 ? 1f : -x);
		return (int)x;
	}
	static long Convert(int n)
	{
		long sum = 0;
		for (int i = 1; i < n; i++) {
			double d = (ulong)i * 0x9e3779b97f4a7c15;
			sum += (uint)(d / 1e16) + (long)(float)i + (byte)(i * 0.3) + BitConverter.DoubleToInt64Bits(d);
		}
		return sum;
	}
	static long Decimals(int n)
	{
		decimal x = 1.1m;
		for (int i = 1; i < n / 20; i++)
			x = x * 1.01m % 977m + i;
		return (long)x;
	}
	static long Bits(int n)
	{
		long sum = 0;
		for (uint i = 1; i < n; i++)
			sum += BitOperations.PopCount(i) + BitOperations.LeadingZeroCount(i) * BitOperations.TrailingZeroCount(i) +
				BitOperations.RotateLeft(i, 5) + (i & ~(i - 1)) + (i & (i - 1));
		return sum;
	}
	static long Vectors(int n)
	{
		Vector128<int> sum = Vector128<int>.Zero, step = Vector128.Create(1, 2, 3, 4);
		for (int i = 0; i < n; i++)
			sum = Vector128.Max(sum + step * Vector128.Create(i), sum - step) ^ Vector128.Equals(sum, step);
		return Vector128.Sum(sum);
	}
	static long Vector4s(int n)
	{
		var v = new Vector4(1, 2, 3, 4);
		for (int i = 0; i < n; i++)
			v = Vector4.Normalize(v * 1.5f + new Vector4(i)) + Vector4.Min(v, Vector4.One);
		return (long)(v.X + v.W);
	}
	static long Spans(int n)
	{
		Span<byte> bytes = stackalloc byte[256];
		long sum = 0;
		for (int i = 0; i < n; i++) {
			bytes[i & 255] = (byte)i;
			sum += bytes[(i * 7) & 255];
		}
		return sum + bytes.Slice(3, 40).IndexOf((byte)200);
	}
	static unsafe long Pointers(int n)
	{
		long* words = stackalloc long[64];
		for (int i = 0; i < n; i++)
			*(words + (i & 63)) = *(int*)(words + ((i + 1) & 63)) + i;
		return words[5];
	}
	static long Build(int n)
	{
		var text = new StringBuilder();
		for (int i = 0; i < n / 10; i++)
			text.Append((char)('a' + i % 26)).Append(i).Append(", ");
		return text.ToString().Length;
	}
	static long Words(int n)
	{
		long sum = 0;
		string[] words = { "offbox", "fold", "profile", "psym", "" };
		for (int i = 0; i < n; i++)
			switch (words[i % words.Length]) {
			case "offbox": sum++; break;
			case "fold": sum += 2; break;
			case "psym": sum += 3; break;
			case "pflame": sum += 4; break;
			}
		return sum;
	}
	static long Dictionary(int n)
	{
		var found = new Dictionary<int, string>();
		for (int i = 0; i < n / 4; i++)
			found[i * 7 % 97] = found.TryGetValue(i % 97, out string s) ? s : "x";
		return found.Count;
	}
	static long Sort(int n)
	{
		var items = new List<long>();
		for (int i = 0; i < n / 10; i++)
			items.Add(i * 7919L % 10007);
		items.Sort((a, b) => b.CompareTo(a));
		return items[n / 20];
	}
	static long Query(int n) =>
		Enumerable.Range(0, n / 10).Where(i => i % 3 == 0).Select(i => i * 2L).GroupBy(i => i % 5).Sum(g => g.Count());
	static Wide Copy(Wide w, int i)
	{
		w.A += i;
		w.F *= 0.5;
		return w;
	}
	static long Structs(int n)
	{
		var all = new Wide[8];
		for (int i = 0; i < n; i++)
			all[i & 7] = Copy(all[(i + 3) & 7], i);
		return all[2].A;
	}
	static long Finally(int n)
	{
		long sum = 0;
		for (int i = 0; i < n; i++)
			try {
				if (i == n - 1)
					throw new InvalidOperationException();
				sum += i;
			} catch (InvalidOperationException e) when (e.Message.Length > 0) {
				sum -= 5;
			} finally {
				sum ^= 3;
			}
		return sum;
	}
	static IEnumerable<int> Steps(int n)
	{
		for (int i = 0; i < n; i++)
			if (i % 3 != 1)
				yield return i;
	}
	static long Iterate(int n)
	{
		long sum = 0;
		foreach (int i in Steps(n / 2))
			sum += i;
		return sum;
	}
	static async ValueTask<int> Later(int i)
	{
		if (i < 0)
			await Task.Yield();
		return i + 1;
	}
	static async Task<long> Await(int n)
	{
		long sum = 0;
		for (int i = 0; i < n / 2; i++)
			sum += await Later(i);
		return sum;
	}
	static long Tasks(int n) => Await(n).Result;
	static long Atomics(int n)
	{
		for (int i = 0; i < n / 4; i++) {
			lock (gate)
				counter++;
			Interlocked.Add(ref counter, i);
			Interlocked.CompareExchange(ref counter, 5, i);
			seen = counter + local++;
		}
		return seen;
	}
	static long Virtual(int n)
	{
		double sum = 0;
		for (int i = 0; i < n; i++) {
			IShape shape = shapes[i % 3];
			sum += shape is Circle ? shape.Area(i) : -shape.Area(2);
		}
		return (long)sum;
	}
	static long Generics(int n)
	{
		var numbers = new Stack<double>();
		var words = new Stack<string>();
		for (int i = 0; i < n / 2; i++) {
			numbers.Push(i);
			words.Push("x");
		}
		for (int i = 0; i < n / 4; i++)
			numbers.Push(numbers.Pop() + words.Pop().Length);
		return (long)numbers.Pop();
	}
	static long Matrix(int n)
	{
		var m = new double[20, 20];
		for (int i = 0; i < n; i++)
			m[i % 20, i / 20 % 20] += m[i * 3 % 20, 5] + i;
		return (long)m[3, 4];
	}
	static int Fibonacci(int n) => n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2);
	static long Recurse(int n) => Fibonacci(16);
	static long Box(int n)
	{
		long sum = 0;
		object[] all = { 1, 2L, "three", 4.0, null };
		for (int i = 0; i < n; i++)
			switch (all[i % 5]) {
			case int k: sum += k; break;
			case long k when k > 1: sum += k; break;
			case string s: sum += s.Length; break;
			case double d: sum += (long)d; break;
			case null: all[i % 5 / 5 + 4] = i % 2 == 0 ? (object)i : null; break;
			}
		return sum;
	}
	static long Delegates(int n)
	{
		long sum = 0;
		Func<int, int> twice = i => i * 2, more = i => twice(i) + counter;
		for (int i = 0; i < n; i++)
			sum += more(i);
		return sum;
	}

	static void Main()
	{
		Func<int, long>[] all = {
			Ints, Divide, Checked, Switch, Doubles, Floats, Convert, Decimals, Bits, Vectors, Vector4s, Spans, Pointers,
			Build, Words, Dictionary, Sort, Query, Structs, Finally, Iterate, Tasks, Atomics, Virtual, Generics, Matrix,
			Recurse, Box, Delegates,
		};
		long sum = 0, end = Environment.TickCount64 + 3000;
		while (Environment.TickCount64 < end)
			foreach (var run in all)
				for (long begun = Environment.TickCount64; Environment.TickCount64 - begun < 5;)
					sum += run(2000);
		Console.WriteLine(sum);
	}
}
